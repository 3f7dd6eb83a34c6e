type Pattern = Readonly<Record<string, unknown>>;

const isPattern = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a bus rule matches an event, for the features that the platform's rules use: equal texts, and a single `anything-but`. */
export function matches(pattern: Pattern, event: object): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    const value: unknown = Object.entries(event).find(([field]) => field === name)?.[1];
    if (isPattern(wanted)) return isPattern(value) && matches(wanted, value);
    if (!Array.isArray(wanted)) throw new TypeError(`a pattern of ${name} that nobody knows`);
    const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return wanted.some((one: unknown) =>
      isPattern(one) ? values.some((each) => each !== one['anything-but']) : values.includes(one),
    );
  });
}
