/** Builds field paths as text, for traversals of untrusted values that build many paths. The root is undefined (upstream: a nil path). */
export const childField = (parent: string | undefined, name: string): string =>
  parent === undefined ? name : `${parent}.${name}`;
/** The path of a key below a parent: `spec[key]`. */
export const keyField = (parent: string | undefined, key: string): string => `${parent ?? ''}[${key}]`;
/** The path of an item below a parent: `spec[0]`. */
export const itemField = (parent: string | undefined, index: number): string => `${parent ?? ''}[${index}]`;
