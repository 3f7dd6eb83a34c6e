import { InvalidArgumentError } from 'commander';
import { parseDuration } from '#lib/machinery/duration.ts';
import { messageOf } from '../start-fault.ts';

/** The text of a flag's duration, which must be positive. Throws InvalidArgumentError. */
export function duration(text: string): string {
  try {
    if (parseDuration(text) > 0n) return text;
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
  throw new InvalidArgumentError('It is a duration above zero, such as 5s.');
}
