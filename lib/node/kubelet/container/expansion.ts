/** Replaces `$(NAME)`. `$$` is a dollar sign, and a reference that `mapping` does not know stays (upstream: expansion.Expand). */
export function expand(input: string, mapping: (name: string) => string | undefined): string {
  return input.replace(/\$(?:\$|\(([^)]*)\))/g, (reference, name: string | undefined) =>
    name === undefined ? '$' : (mapping(name) ?? reference),
  );
}
