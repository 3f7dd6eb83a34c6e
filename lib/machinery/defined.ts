/** T with every member that may be undefined made optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without undefined members, in the same order: `{ name, ...defined({ port }) }`. */
export function defined<T extends object>(members: T): Defined<T>;
export function defined<T extends object>(members: T): Partial<T> {
  const present: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) present[name] = members[name];
  return present;
}
