/**
 * Replaces `$(NAME)`. `$$` is a dollar sign. A reference for which `mapping` returns undefined stays unchanged (upstream:
 * expansion.Expand).
 */
export function expand(input: string, mapping: (name: string) => string | undefined): string {
  return input.replace(/\$(?:\$|\(([^)]*)\))/g, (reference, name: string | undefined) =>
    name === undefined ? '$' : (mapping(name) ?? reference),
  );
}
