/** As the stored file has it: numbers of at most three digits behind the point. */
export const rounded = (value: unknown): string =>
  `${JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Math.round(each * 1000) / 1000 : each), 2)}\n`;
