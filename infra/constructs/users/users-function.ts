import type { Duration } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ContextError } from '../../context.ts';

/** A function of a user's file. */
export interface UsersFunctionProps {
  /** A file in TypeScript or JavaScript that exports what `davit/controller` and `davit/webhook` define, as `--functions` takes it. */
  readonly entry: string;
  /** Which of the functions in the file it is. Default the only one. */
  readonly name?: string;
  /** Megabytes. Default 256. */
  readonly memory?: number;
  /** How long an invocation may last. */
  readonly timeout?: Duration;
  /** Additional environment variables of the function. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional rights of its role. */
  readonly access?: readonly PolicyStatement[];
}

/** Megabytes. */
export const MEMORY = 256;

/** The one that is meant among what a file declares. Throws ContextError where that is none. */
export function declaredOne<T extends { readonly name: string }>(
  all: readonly T[],
  { entry, name }: Pick<UsersFunctionProps, 'entry' | 'name'>,
): T {
  const [only, ...others] = name === undefined ? all : all.filter((one) => one.name === name);
  const names = all.map((one) => one.name).join(', ') || 'nothing of its kind';
  if (only === undefined)
    throw new ContextError(`${entry} declares ${names}${name === undefined ? '' : `, no ${name}`}`);
  if (others.length > 0) throw new ContextError(`${entry} declares ${names}: choose one by name`);
  return only;
}
