/** Changes the arguments of a child resource, last of all. Gets the child's Pulumi name, where several are alike. */
export type Transform<Args> = (args: Args, name: string) => Args;

/** The arguments, as the user's transform leaves them. */
export function transformed<Args>(transform: Transform<Args> | undefined, args: Args, name: string): Args {
  return transform === undefined ? args : transform(args, name);
}
