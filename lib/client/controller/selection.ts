/**
 * Whether a controller is enabled by a list such as `*,-a`: upstream's `--controllers`. A name enables a controller, `-name` disables it,
 * and `*` enables all others except those in `off`.
 */
export function isSelected(name: string, selection: readonly string[], off: readonly string[] = []): boolean {
  if (selection.includes(name)) return true;
  return !selection.includes(`-${name}`) && !off.includes(name) && selection.includes('*');
}

/** The errors in such a list, one line each. */
export function selectionErrors(selection: readonly string[], known: readonly string[]): readonly string[] {
  return selection
    .filter((item) => item !== '*' && !known.includes(item.replace(/^-/, '')))
    .map((item) => `"${item.replace(/^-/, '')}" is not in the list of known controllers`);
}
