/** Parses a flag that may be repeated, and whose value may be a comma-separated list. */
export const listed = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  ...value.split(',').filter((one) => one !== ''),
];
