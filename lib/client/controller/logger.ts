/** The logger of functions, with one line per call and structured fields. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A logger that adds these fields to every line. They follow the line's own fields. */
export const withFields = (log: Logger, own: Readonly<Record<string, unknown>>): Logger => ({
  info: (message, fields = {}) => log.info(message, { ...own, ...fields }),
  error: (message, fields = {}) => log.error(message, { ...own, ...fields }),
});

/** A logger that writes each message with its fields as one entry. */
export const loggerTo = (write: (line: object) => void): Logger => ({
  info: (message, fields) => write({ level: 'info', message, ...fields }),
  error: (message, fields) => write({ level: 'error', message, ...fields }),
});
