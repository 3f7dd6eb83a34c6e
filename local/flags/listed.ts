/** Parses a flag that may be given again and holds several, between commas. */
export const listed = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  ...value.split(',').filter((one) => one !== ''),
];
