import { InvalidArgumentError } from 'commander';

/** The value of a flag that is true or false. */
export function truth(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new InvalidArgumentError('It is true or false.');
  return value === 'true';
}
