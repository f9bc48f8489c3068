import { type Finding, hub, type PlatformProps, type Pool, type Service, secretKey } from "@capstan/core";

/** One blocking finding that a wrong declaration has to give. */
export interface Expected {
  readonly id: string;
  readonly path: string;
  /** Names the wrong value and what is valid. */
  readonly message: RegExp;
  /** Says what to write instead. */
  readonly remedy: RegExp;
}

export interface WrongDeclaration {
  readonly title: string;
  readonly declare: () => PlatformProps;
  /** All of them: not one less, and not one more. */
  readonly findings: readonly Expected[];
}

export function finds(id: string, path: string, message: RegExp, remedy: RegExp): Expected {
  return { id, path, message, remedy };
}

const surroundings = { environment: "test", region: "us-east-1" };

export function wrongPool(title: string, pool: () => Pool, ...findings: Expected[]): WrongDeclaration {
  return { title, declare: () => ({ ...surroundings, pools: [pool()], services: [] }), findings };
}

/** The service on the pool that it names. */
export function wrongService(title: string, service: () => Service, ...findings: Expected[]): WrongDeclaration {
  const declare = () => {
    const declared = service();
    return { ...surroundings, pools: [declared.props.pool], services: [declared] };
  };
  return { title, declare, findings };
}

export function wrongPlatform(
  title: string,
  props: () => Partial<PlatformProps>,
  ...findings: Expected[]
): WrongDeclaration {
  return { title, declare: () => ({ ...surroundings, pools: [], services: [], ...props() }), findings };
}

/** A value as it may come from a file or from JavaScript: past the compiler. */
export function unchecked<T>(value: unknown): T {
  return value as T;
}

export const token = hub({ token: secretKey("hf-token", "token") });

/** Each finding is paired with one expectation; what is left over on either side is wrong. */
export function matched(findings: readonly Finding[], expected: readonly Expected[]) {
  const left = [...findings];
  const missing = expected.filter(({ id, path, message, remedy }) => {
    const index = left.findIndex(
      (f) => f.id === id && f.path === path && message.test(f.message) && remedy.test(f.remedy),
    );
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return { missing, unexpected: left };
}
