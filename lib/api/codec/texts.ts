import { durationText, parseDuration } from '#lib/machinery/duration.ts';
import { isPlainQuantity, parseQuantity, quantityText } from '#lib/machinery/resource/quantity.ts';
import { microTimeText, parseMicroTime, parseTime, timeText } from '#lib/machinery/time.ts';

const CANONICAL_TIME = /^(?!0001)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Formats a time like Go; null for the zero time. Like all functions in this file, it throws errors with upstream's texts. */
export const canonicalTime = (text: string): string | null =>
  CANONICAL_TIME.test(text) ? text : timeText(parseTime(text));

/** Formats a MicroTime like Go; null for the zero time. Throws TimeError. */
export const canonicalMicroTime = (text: string): string | null => microTimeText(parseMicroTime(text));

/** Formats a duration like Go: `1h` becomes `1h0m0s`. Throws for an invalid duration. */
export const canonicalDuration = (text: string): string => durationText(parseDuration(text));

/** Formats a quantity like upstream. Throws QuantityError. */
export const canonicalQuantity = (text: string): string =>
  isPlainQuantity(text) ? text : quantityText(parseQuantity(text));
