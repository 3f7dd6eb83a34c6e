/**
 * Whether a controller runs by a list such as `*,-a`: upstream's `--controllers`. A name turns it on, `-name` off, `*` turns
 * on what is not named, but for what is off by itself.
 */
export function isSelected(name: string, selection: readonly string[], off: readonly string[] = []): boolean {
  if (selection.includes(name)) return true;
  return !selection.includes(`-${name}`) && !off.includes(name) && selection.includes('*');
}

/** The faults of a list, a line for each. */
export function selectionErrors(selection: readonly string[], known: readonly string[]): readonly string[] {
  return selection
    .filter((item) => item !== '*' && !known.includes(item.replace(/^-/, '')))
    .map((item) => `"${item.replace(/^-/, '')}" is not in the list of known controllers`);
}
