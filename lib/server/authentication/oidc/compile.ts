import { boolType } from '#lib/api/cel/types/type.ts';
import { defined } from '#lib/machinery/defined.ts';
import { duplicate, type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDomainPrefixedPath } from '#lib/machinery/validation/formats.ts';
import type { JwtAuthenticator } from '../configuration.ts';
import { compileExpression, type Expression, type Over } from './expression.ts';

export interface Rule {
  readonly expression: Expression;
  readonly message: string;
}

/** The compiled expressions of one issuer. */
export interface CompiledClaims {
  readonly username?: Expression;
  readonly groups?: Expression;
  readonly uid?: Expression;
  readonly extra: readonly { readonly key: string; readonly expression: Expression }[];
  readonly claimRules: readonly Rule[];
  readonly userRules: readonly Rule[];
}

type Mappings = JwtAuthenticator['claimMappings'];
const BOTH = "claim and expression can't both be set";

/** Compiles an issuer's expressions over claims and users. Adds upstream's messages to `errors` if they are invalid. */
export function compileIssuer(given: JwtAuthenticator, path: FieldPath, errors: FieldError[]): CompiledClaims {
  const compiled = {
    claimRules: claimRules(given.claimValidationRules, path.child('claimValidationRules'), errors),
    ...mappings(given.claimMappings, path.child('claimMappings'), errors),
    userRules: userRules(given.userValidationRules, path.child('userValidationRules'), errors),
  };
  const { username, extra, claimRules: rules } = compiled;
  const verifiers = [username, ...extra.map((one) => one.expression), ...rules.map((one) => one.expression)];
  if (username?.reads('email') === true && !verifiers.some((one) => one?.reads('email_verified') === true)) {
    const field = path.child('claimMappings', 'username', 'expression');
    errors.push(invalid(field, username.text, UNVERIFIED));
  }
  return compiled;
}

const UNVERIFIED =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

interface ExpressionText {
  readonly text: string;
  readonly over?: Over;
  readonly rule?: boolean;
}

function compiledAt(
  { text, over = 'claims', rule = false }: ExpressionText,
  path: FieldPath,
  errors: FieldError[],
): Expression | undefined {
  const found = compileExpression(text, over, rule ? boolType : undefined);
  if (typeof found !== 'string') return found;
  errors.push(invalid(path, text, found));
  return undefined;
}

function claimRules(rules: JwtAuthenticator['claimValidationRules'], path: FieldPath, errors: FieldError[]): Rule[] {
  const seen = new Set<string>();
  const once = (field: FieldPath, kind: string, value: string): boolean => {
    const isNew = !seen.has(`${kind} ${value}`);
    seen.add(`${kind} ${value}`);
    if (!isNew) errors.push(duplicate(field, value));
    return isNew;
  };
  return rules.flatMap(({ claim, requiredValue, expression, message }, i) => {
    const at = path.index(i);
    if (claim !== '' && expression !== '') errors.push(invalid(at, claim, BOTH));
    else if (claim === '' && expression === '') errors.push(required(at, 'claim or expression is required'));
    else if (claim !== '') {
      if (message !== '') errors.push(invalid(at.child('message'), message, 'may not be specified when claim is set'));
      once(at.child('claim'), 'claim', claim);
    } else {
      if (requiredValue !== '')
        errors.push(invalid(at.child('requiredValue'), requiredValue, 'may not be specified when expression is set'));
      const isNew = once(at.child('expression'), 'expression', expression);
      const found = isNew ? compiledAt({ text: expression, rule: true }, at.child('expression'), errors) : undefined;
      return found === undefined ? [] : [{ expression: found, message }];
    }
    return [];
  });
}

function mappings({ username, groups, uid, extra }: Mappings, path: FieldPath, errors: FieldError[]) {
  const name = prefixed(username, path.child('username'), errors);
  if (username.claim === '' && username.expression === '')
    errors.push(required(path.child('username'), 'claim or expression is required'));
  const group = prefixed(groups, path.child('groups'), errors);
  if (uid.claim !== '' && uid.expression !== '') errors.push(invalid(path.child('uid'), '', BOTH));
  const id =
    uid.claim === '' && uid.expression !== ''
      ? compiledAt({ text: uid.expression }, path.child('uid', 'expression'), errors)
      : undefined;
  return {
    ...defined({ username: name, groups: group, uid: id }),
    extra: extras(extra, path.child('extra'), errors),
  };
}

function prefixed(
  { claim, prefix, expression }: Mappings['username'],
  path: FieldPath,
  errors: FieldError[],
): Expression | undefined {
  if (claim !== '' && expression !== '') errors.push(invalid(path, '', BOTH));
  else if (claim !== '' && prefix === undefined) errors.push(required(path.child('prefix'), NO_PREFIX));
  if (claim !== '' || expression === '') return undefined;
  if (prefix !== undefined)
    errors.push(invalid(path.child('prefix'), prefix, 'may not be specified when expression is set'));
  return compiledAt({ text: expression }, path.child('expression'), errors);
}

const NO_PREFIX = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';

function extras(given: Mappings['extra'], path: FieldPath, errors: FieldError[]): CompiledClaims['extra'] {
  const seen = new Set<string>();
  return given.flatMap(({ key, valueExpression }, i) => {
    const at = path.index(i);
    errors.push(...keyErrors(key, at.child('key')));
    if (seen.has(key)) errors.push(duplicate(at.child('key'), key));
    else if (valueExpression === '') errors.push(required(at.child('valueExpression'), ''));
    else {
      seen.add(key);
      const found = compiledAt({ text: valueExpression }, at.child('valueExpression'), errors);
      return found === undefined ? [] : [{ key, expression: found }];
    }
    return [];
  });
}

function keyErrors(key: string, path: FieldPath): FieldError[] {
  const errors = isDomainPrefixedPath(path, key);
  if (key !== key.toLowerCase()) errors.push(invalid(path, key, 'must be lowercase'));
  if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key))
    errors.push(invalid(path, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
  return errors;
}

function userRules(rules: JwtAuthenticator['userValidationRules'], path: FieldPath, errors: FieldError[]): Rule[] {
  const seen = new Set<string>();
  return rules.flatMap(({ expression: text, message }, i) => {
    const at = path.index(i).child('expression');
    if (text === '') errors.push(required(at, ''));
    else if (seen.has(text)) errors.push(duplicate(at, text));
    else {
      seen.add(text);
      const expression = compiledAt({ text, over: 'user', rule: true }, at, errors);
      return expression === undefined ? [] : [{ expression, message }];
    }
    return [];
  });
}
