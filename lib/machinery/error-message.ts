/** The message of an Error, or any other thrown value as text. */
export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
