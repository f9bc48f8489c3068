import { expect, test } from "vitest";
import { imageParts, isFloatingTag, isRepository } from "./images.ts";

test.each([
  ["ubuntu", "ubuntu", null, null],
  ["vllm/vllm-openai:v0.33.0", "vllm/vllm-openai", "v0.33.0", null],
  ["registry:5000/a/b", "registry:5000/a/b", null, null],
  ["registry:5000/a/b:1.2", "registry:5000/a/b", "1.2", null],
  ["a/b@sha256:00", "a/b", null, "sha256:00"],
  ["a/b:1@sha256:00", "a/b", "1", "sha256:00"],
  ["", "", null, null],
])("parts of %s", (reference, repository, tag, digest) => {
  expect(imageParts(reference)).toEqual({ repository, tag, digest });
});

test.each([
  ["latest", true],
  ["cpu-latest", true],
  ["latest-cuda13", true],
  ["nightly", true],
  ["nightly-4ff865c38eac", false],
  ["main-deadbee1", false],
  ["edge", true],
  ["v0.33.0", false],
  ["26.07-py3", false],
  ["maintenance-2", false],
  ["v2-dev", true],
  ["1.0-developer", false],
])("tag %s floats: %s", (tag, floats) => {
  expect(isFloatingTag(tag)).toBe(floats);
});

test.each([
  ["vllm/vllm-openai", true],
  ["registry.example.com:5000/team/name", true],
  ["localhost:5000/a", true],
  ["a/b__c/d-e.f", true],
  ["Vllm/openai", false],
  ["vllm/vllm-openai:v1", false],
  ["https://a/b", false],
  ["a//b", false],
  ["a/", false],
  [" a", false],
])("repository %s is one: %s", (repository, valid) => {
  expect(isRepository(repository)).toBe(valid);
});
