import { createHmac } from 'node:crypto';
import { timeLeft } from '#lib/authentication/bootstrap-token.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';

/** The type of Secrets by which nodes join. */
export const TYPE = 'bootstrap.kubernetes.io/token';
const PREFIX = 'bootstrap-token-';
const NAME = /^bootstrap-token-([a-z0-9]{6})$/;
const CONTENT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

export const isToken = (secret: JsonObject): boolean => stringAt(secret, 'type') === TYPE;

/** The text at a key of a Secret; empty where it has none. */
export const valueOf = (secret: JsonObject, key: string): string =>
  Buffer.from(stringAt(objectAt(secret, 'data'), key) ?? '', 'base64').toString();

/** Milliseconds until a token is over: 0 if it is, Infinity if it never will be. */
export const lifeOf = (secret: JsonObject, now: number): number => timeLeft(valueOf(secret, 'expiration'), now);

interface Token {
  readonly id: string;
  readonly secret: string;
}

/** What a Secret signs with; undefined where it may not. */
function signing(secret: JsonObject, now: number): Token | undefined {
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

/** A compact JWS by HMAC without its content (RFC 7515, appendix F). */
export function detachedSignature(content: string, { id, secret }: Token): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  return `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** What the config map should hold: signatures by all tokens that may sign, of no others; undefined where it does. */
export function signedData(configMap: JsonObject, secrets: readonly JsonObject[], now: number): JsonObject | undefined {
  const data = objectAt(configMap, 'data') ?? {};
  const content = stringAt(data, CONTENT);
  if (content === undefined) return undefined;
  const tokens = secrets.map((secret) => signing(secret, now)).filter((token) => token !== undefined);
  const others = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE));
  const signatures = tokens.map((token) => [`${SIGNATURE}${token.id}`, detachedSignature(content, token)] as const);
  const isSame =
    others.length + signatures.length === Object.keys(data).length &&
    signatures.every(([key, signature]) => stringAt(data, key) === signature);
  return isSame ? undefined : Object.fromEntries([...others, ...signatures]);
}
