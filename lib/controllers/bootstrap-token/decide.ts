import { createHmac } from 'node:crypto';
import type { ConfigMap, Secret } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { timeLeft } from '#lib/server/authentication/bootstrap-token.ts';

/** The type of Secrets with which nodes join the cluster. */
export const TYPE = 'bootstrap.kubernetes.io/token';
const PREFIX = 'bootstrap-token-';
const NAME = /^bootstrap-token-([a-z0-9]{6})$/;
const CONTENT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

/** Whether the Secret is a bootstrap token. */
export const isToken = ({ type }: Secret): boolean => type === TYPE;

/** The text at a key of a Secret, empty if the key is absent. */
export const valueOf = ({ data }: Secret, key: string): string =>
  Buffer.from(ownField(data, key) ?? '', 'base64').toString();

/** The time in ms until a token expires: 0 if it has expired, Infinity if it never does. */
export const lifeOf = (secret: Secret, now: number): number => timeLeft(valueOf(secret, 'expiration'), now);

interface Token {
  readonly id: string;
  readonly secret: string;
}

/** The token to sign with. Undefined if the Secret may not sign. */
function signing(secret: Secret, now: number): Token | undefined {
  const [id, value] = [valueOf(secret, 'token-id'), valueOf(secret, 'token-secret')];
  const mayIt =
    isToken(secret) &&
    NAME.test(nameOf(secret)) &&
    nameOf(secret) === `${PREFIX}${id}` &&
    value !== '' &&
    lifeOf(secret, now) > 0 &&
    valueOf(secret, 'usage-bootstrap-signing') === 'true';
  return mayIt ? { id, secret: value } : undefined;
}

/** A compact HMAC JWS with detached content (RFC 7515, appendix F). */
export function detachedSignature(content: string, { id, secret }: Token): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  return `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** The config map's data with the signatures of exactly the tokens that may sign. Undefined if the data is up to date. */
export function signedData(
  { data = {} }: ConfigMap,
  secrets: readonly Secret[],
  now: number,
): Record<string, string> | undefined {
  const content = ownField(data, CONTENT);
  if (content === undefined) return undefined;
  const tokens = secrets.map((secret) => signing(secret, now)).filter((token) => token !== undefined);
  const others = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE));
  const signatures = tokens.map((token) => [`${SIGNATURE}${token.id}`, detachedSignature(content, token)] as const);
  const isSame =
    others.length + signatures.length === Object.keys(data).length &&
    signatures.every(([key, signature]) => ownField(data, key) === signature);
  return isSame ? undefined : Object.fromEntries([...others, ...signatures]);
}
