/** Upstream's expansion.Expand: replaces `$(NAME)`. `$$` is a dollar sign; a reference that `mapping` does not know stays as it is. */
export function expand(input: string, mapping: (name: string) => string | undefined): string {
  return input.replace(/\$(?:\$|\(([^)]*)\))/g, (reference, name: string | undefined) =>
    name === undefined ? '$' : (mapping(name) ?? reference),
  );
}
