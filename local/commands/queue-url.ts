import { InvalidArgumentError } from 'commander';

/** A queue's URL as SQS gives it. Throws InvalidArgumentError. */
export function queueUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('A queue is named by its URL.');
  return text;
}
