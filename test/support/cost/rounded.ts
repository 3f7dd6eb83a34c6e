/** The format of the stored file: numbers with at most three decimals. */
export const rounded = (value: unknown): string =>
  `${JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Math.round(each * 1000) / 1000 : each), 2)}\n`;
