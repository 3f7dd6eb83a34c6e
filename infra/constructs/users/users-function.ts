import { ArnFormat, type Duration, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { SecretReference } from '#lib/client/controller/function-settings.ts';
import { defined } from '#lib/machinery/defined.ts';
import { ContextError } from '../../context.ts';
import { allow } from '../access.ts';

/** A function of a user's file. */
export interface UsersFunctionProps {
  /**
   * A file in TypeScript or JavaScript that exports definitions from `@davit-dev/davit/controller` and `@davit-dev/davit/webhook`, as for
   * `--functions`.
   */
  readonly entry: string;
  /** The function's name, if the file has several. Default the only one. */
  readonly name?: string;
  /** Memory in MB. Default 256. */
  readonly memory?: number;
  /** The time-out of an invocation. */
  readonly timeout?: Duration;
  /** Additional environment variables of the function. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Environment variables with values from a secret store: the function reads them, and its role may read no others. */
  readonly secrets?: Readonly<Record<string, SecretReference>>;
  /** Additional permissions of its role. */
  readonly access?: readonly PolicyStatement[];
}

/** Default memory in MB. */
export const MEMORY = 256;

/** The selected declaration of a file. Throws ContextError if the file does not contain it. */
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

/** The environment of a function that reads these secrets, and the permissions to read them. The environment contains no value. */
export function secretsOf(scope: Construct, secrets: Readonly<Record<string, SecretReference>> = {}): SecretParts {
  const all = Object.entries(secrets);
  if (all.length === 0) return { environment: {}, access: [] };
  const references = all.map(([name, { secret, key, parameter }]) => [name, defined({ secret, key, parameter })]);
  const stack = Stack.of(scope);
  const arns = (kind: 'secret' | 'parameter'): string[] => {
    const names = all.flatMap(([, reference]) => reference[kind] ?? []);
    return [...new Set(names)].map((name) => (name.startsWith('arn:') ? name : ARNS[kind](stack, name)));
  };
  const [ofSecrets, ofParameters] = [arns('secret'), arns('parameter')];
  return {
    environment: { DAVIT_SECRETS: JSON.stringify(Object.fromEntries(references)) },
    access: [
      ...(ofSecrets.length === 0 ? [] : [allow('Secrets', ['secretsmanager:GetSecretValue'], ...ofSecrets)]),
      ...(ofParameters.length === 0 ? [] : [allow('Parameters', ['ssm:GetParameter'], ...ofParameters)]),
    ],
  };
}

interface SecretParts {
  readonly environment: Readonly<Record<string, string>>;
  readonly access: readonly PolicyStatement[];
}

/** ARNs of names in the account. Secrets Manager appends a hyphen and six letters to a name. */
const ARNS = {
  secret: (stack: Stack, name: string): string =>
    stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${name}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  parameter: (stack: Stack, name: string): string =>
    stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.replace(/^\//, '') }),
} as const;
