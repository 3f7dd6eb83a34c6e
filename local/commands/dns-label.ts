import { InvalidArgumentError } from 'commander';

/** Parses a flag whose value is a DNS label. Throws InvalidArgumentError. */
export function dnsLabel(text: string): string {
  if (!/^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError(
      'A name is lower-case letters, digits and dashes, begins with a letter and has at most 42.',
    );
  return text;
}
