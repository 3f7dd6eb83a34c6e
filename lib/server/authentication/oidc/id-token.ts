import { quote } from '#lib/machinery/go.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { type ClaimType, isSeconds, mapOf, struct, text } from '../claim-types.ts';

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** go-oidc's jsonTime: seconds since 1970 as a number or numeric string. */
const jsonTime: ClaimType = (value) => {
  if (typeof value === 'string' && !NUMBER.test(value))
    return `json: invalid number literal, trying to unmarshal ${quote(value)} into Number`;
  if (isSeconds(typeof value === 'string' ? Number(value) : value)) return undefined;
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type json.Number`;
};

/** An optional time. Go treats null as absent. */
const optionalTime: ClaimType = (value, field) => (value === null ? undefined : jsonTime(value, field));

/** go-oidc's audience: a string or a list of strings. */
const audience: ClaimType = (value, field) =>
  (Array.isArray(value) ? value : [value]).map((one) => text(one, field)).find((fault) => fault !== undefined);

const source = struct('claimSource', { endpoint: text, access_token: text });

/** The claims that determine whether an ID token is valid: go-oidc's idToken. */
export const ID_TOKEN = struct('idToken', {
  iss: text,
  sub: text,
  aud: audience,
  exp: jsonTime,
  iat: jsonTime,
  nbf: optionalTime,
  nonce: text,
  at_hash: text,
  _claim_names: mapOf(text),
  _claim_sources: mapOf(source),
});
