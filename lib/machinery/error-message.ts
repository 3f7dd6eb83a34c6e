/** The message of what was thrown; of what is no Error, its text. */
export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
