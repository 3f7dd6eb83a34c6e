import { CelError, ListValue, type Value } from '#lib/api/cel/values/value.ts';
import { type StatusError, unauthorized } from '#lib/machinery/errors.ts';
import { type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { CREDENTIAL_ID, type User } from '../user.ts';
import { claimsValue } from './claims-value.ts';
import type { Rule } from './compile.ts';
import type { Expression } from './expression.ts';
import type { Issuer } from './validate.ts';

const fault = (message: string): StatusError => unauthorized(`oidc: ${message}`);

/** The user from an issuer's claims. Throws StatusError (401) if the claims are invalid. */
export function identify(claims: JsonObject, { given, compiled }: Issuer): User {
  const value = claimsValue(claims);
  const user = {
    name: usernameOf(claims, value, { given, compiled }),
    groups: groupsOf(claims, value, { given, compiled }),
    uid: uidOf(claims, value, { given, compiled }),
    extra: extraOf(claims, value, compiled.extra),
  };
  for (const { claim, requiredValue } of given.claimValidationRules) {
    if (claim !== '') requireClaim(claims, claim, requiredValue);
  }
  requireRules(compiled.claimRules, value, 'claim validation expression');
  requireRules(compiled.userRules, claimsValue(asJson(user)), 'user info validation rule');
  return user;
}

const asJson = ({ name, uid, groups, extra }: Required<User>): JsonObject => ({
  username: name,
  uid,
  groups: [...groups],
  extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
});

function usernameOf(claims: JsonObject, value: Value, { given, compiled }: Issuer): string {
  if (compiled.username !== undefined) {
    const name = result(compiled.username, value, 'username claim expression');
    if (typeof name !== 'string')
      throw fault('error evaluating username claim expression: username claim expression must return a string');
    if (name === '') throw fault('empty username via CEL expression is not allowed');
    return name;
  }
  const { claim, prefix = '' } = given.claimMappings.username;
  const name = text(claims, claim, `parse username claims "${claim}"`);
  const verified = ownField(claims, 'email_verified');
  if (claim === 'email' && verified !== undefined && verified !== true) throw fault('email not verified');
  if (name === '') throw fault(`claim "${claim}" names nobody`);
  return `${prefix}${name}`;
}

function groupsOf(claims: JsonObject, value: Value, { given, compiled }: Issuer): readonly string[] {
  const { claim, prefix = '' } = given.claimMappings.groups;
  const held = claim === '' ? undefined : ownField(claims, claim);
  if (held !== undefined) return strings(held, claim).map((group) => `${prefix}${group}`);
  if (compiled.groups === undefined) return [];
  return texts(compiled.groups, value, 'group claim expression');
}

function strings(held: Json, claim: string): string[] {
  const list = Array.isArray(held) ? held : [held];
  if (list.every((one) => typeof one === 'string')) return list;
  throw fault(`parse groups claim "${claim}": neither a text nor a list of texts`);
}

function uidOf(claims: JsonObject, value: Value, { given, compiled }: Issuer): string {
  const { claim } = given.claimMappings.uid;
  if (claim !== '') return text(claims, claim, `parse uid claim "${claim}"`);
  if (compiled.uid === undefined) return '';
  const uid = result(compiled.uid, value, 'uid claim expression');
  if (typeof uid === 'string') return uid;
  throw fault('error evaluating uid claim expression: uid claim expression must return a string');
}

function extraOf(
  claims: JsonObject,
  value: Value,
  mappings: Issuer['compiled']['extra'],
): Readonly<Record<string, readonly string[]>> {
  const jti = ownField(claims, 'jti');
  const mapped = mappings.map(
    ({ key, expression }) => [key, texts(expression, value, 'extra claim expression')] as const,
  );
  return Object.fromEntries([
    ...(typeof jti === 'string' && jti !== '' ? [[CREDENTIAL_ID, [`JTI=${jti}`]] as const] : []),
    ...mapped.filter(([, values]) => values.length > 0),
  ]);
}

function result(expression: Expression, value: Value, what: string): Value {
  const found = expression.evaluate(value);
  if (found instanceof CelError) throw fault(`error evaluating ${what}: ${found.message}`);
  return found;
}

function texts(expression: Expression, value: Value, what: string): string[] {
  const found = result(expression, value, what);
  const list = found instanceof ListValue ? Array.from({ length: found.size }, (_, i) => found.get(i)) : [found];
  if (found === null) return [];
  if (!list.every((one) => typeof one === 'string'))
    throw fault(`error evaluating ${what}: expression must return a string or a list of strings`);
  return list.filter((one) => one !== '');
}

function text(claims: JsonObject, claim: string, what: string): string {
  const held = ownField(claims, claim);
  if (held === undefined) throw fault(`${what}: claim not present`);
  if (typeof held !== 'string') throw fault(`${what}: not a text`);
  return held;
}

function requireClaim(claims: JsonObject, claim: string, wanted: string): void {
  if (ownField(claims, claim) === undefined) throw fault(`required claim ${claim} not present in ID token`);
  const held = text(claims, claim, `parse claim ${claim}`);
  if (held !== wanted) throw fault(`required claim ${claim} value does not match. Got = ${held}, want = ${wanted}`);
}

function requireRules(rules: readonly Rule[], value: Value, what: string): void {
  for (const { expression, message } of rules) {
    if (result(expression, value, what) !== true)
      throw fault(`error evaluating ${what}: validation expression '${expression.text}' failed: ${message}`);
  }
}
