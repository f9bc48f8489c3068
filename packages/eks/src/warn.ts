import { type Finding, sortFindings } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";

/** Says the warnings of a declaration that is deployed all the same, with the reason where one was given. */
export function warn(findings: readonly Finding[], resource: pulumi.Resource): void {
  for (const finding of sortFindings(findings)) {
    const text = `${finding.path}: ${finding.message}; ${finding.remedy} [${finding.id}]`;
    if (finding.acknowledged !== null) pulumi.log.info(`${text} (accepted: ${finding.acknowledged})`, resource);
    else if (finding.severity === "warning") pulumi.log.warn(text, resource);
  }
}
