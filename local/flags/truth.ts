import { InvalidArgumentError } from 'commander';

/** Parses the value of a boolean flag. */
export function truth(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new InvalidArgumentError('It is true or false.');
  return value === 'true';
}
