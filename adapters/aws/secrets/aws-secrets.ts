import * as z from 'zod';
import type { SecretReference } from '#lib/client/controller/function-settings.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';
import { jsonCall, signedHeaders } from '#lib/server/authentication/aws/signed-headers.ts';

/** The environment of a function, its clock and its network. */
export interface SecretPorts {
  /** Region and credentials in the platform's variables, and `AWS_ENDPOINT_URL…` in the SDK's format. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

interface Service {
  readonly name: 'secretsmanager' | 'ssm';
  /** The name of the SDK's variable for its endpoint. */
  readonly endpoint: string;
  readonly target: string;
}

const SECRETS_MANAGER: Service = {
  name: 'secretsmanager',
  endpoint: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  target: 'secretsmanager.GetSecretValue',
};
const PARAMETER_STORE: Service = { name: 'ssm', endpoint: 'AWS_ENDPOINT_URL_SSM', target: 'AmazonSSM.GetParameter' };

const secretAnswer = z.object({ SecretString: z.string() });
const parameterAnswer = z.object({ Parameter: z.object({ Value: z.string() }) });
const fault = z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() });

/** The time-out of a call in ms, the pause before the second attempt, and the number of attempts. */
const PATIENCE = 3000;
const PAUSE = 200;
const ATTEMPTS = 3;

/** Reads the value of a secret or parameter. Rejects with a one-line error that never contains a value. */
export function awsSecrets(ports: SecretPorts): (reference: SecretReference) => Promise<string> {
  return async ({ secret, parameter = '', key }) => {
    if (secret === undefined) {
      const answer = await asked(ports, PARAMETER_STORE, {
        id: parameter,
        body: { Name: parameter, WithDecryption: true },
      });
      return read(parameterAnswer, answer).Parameter.Value;
    }
    const answer = await asked(ports, SECRETS_MANAGER, { id: secret, body: { SecretId: secret } });
    const text = read(secretAnswer, answer).SecretString;
    return key === undefined ? text : fieldOf(text, key);
  };
}

function read<T extends z.ZodType>(schema: T, answer: string): z.infer<T> {
  const parsed = schema.safeParse(json(answer));
  if (!parsed.success) throw new Error('it holds no text');
  return parsed.data;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

function fieldOf(text: string, key: string): string {
  const fields = z.record(z.string(), z.unknown()).safeParse(json(text)).data ?? {};
  const found = scalar.safeParse(Object.hasOwn(fields, key) ? fields[key] : undefined);
  if (!found.success) throw new Error(`it is no JSON object with a text as ${key}`);
  return String(found.data);
}

/** Undefined for invalid JSON, because the parser's errors would contain the text. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function asked(
  ports: SecretPorts,
  service: Service,
  { id, body }: { readonly id: string; readonly body: object },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { answer, refusal, isFinal } = await call(ports, service, { id, body: JSON.stringify(body) });
    if (answer !== undefined) return answer;
    if (isFinal || attempt === ATTEMPTS) throw new Error(refusal);
    await ports.clock.sleep(PAUSE * attempt);
  }
}

interface Outcome {
  readonly answer?: string;
  readonly refusal?: string;
  readonly isFinal?: boolean;
}

async function call(
  { environment, clock, fetch: send }: SecretPorts,
  { name: service, endpoint, target }: Service,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<Outcome> {
  const region = regionOf(id) ?? environment['AWS_REGION'] ?? '';
  const given = environment[endpoint] ?? environment['AWS_ENDPOINT_URL'];
  const url = new URL(given ?? `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
  const { host: _, ...headers } = signedHeaders(
    jsonCall({ service, region, host: url.host, target, body }),
    credentialsIn(environment),
    clock.now(),
  );
  try {
    const response = await send(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) });
    const text = await response.text();
    if (response.ok) return { answer: text };
    const { __type: type, message, Message = message } = fault.safeParse(json(text)).data ?? { __type: '' };
    const why = [type.split('#').at(-1) ?? '', Message ?? `status ${response.status}`].filter((one) => one !== '');
    const isFinal = response.status < 500 && response.status !== 429 && !type.includes('Throttling');
    return { refusal: why.join(': ').replaceAll(/\s+/g, ' '), isFinal };
  } catch (error) {
    return {
      refusal: `${service} of ${region} does not answer: ${error instanceof Error ? error.message : 'no reason'}`,
    };
  }
}

/** The region of an ARN. */
const regionOf = (id: string): string | undefined => /^arn:[^:]+:[^:]+:([^:]+):/.exec(id)?.[1];

const credentialsIn = (environment: SecretPorts['environment']): AwsCredentials => ({
  accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
  ...defined({ sessionToken: environment['AWS_SESSION_TOKEN'] }),
});
