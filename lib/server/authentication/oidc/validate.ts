import { X509Certificate } from 'node:crypto';
import { duplicate, type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import type { AuthenticationConfiguration, JwtAuthenticator } from '../configuration.ts';
import { type CompiledClaims, compileIssuer } from './compile.ts';

export interface Issuer {
  readonly given: JwtAuthenticator;
  readonly compiled: CompiledClaims;
}

/**
 * Validates a configuration and returns its issuers. `errors` is empty if it is valid. `own` contains the issuers of this server, which a
 * configuration must not name.
 */
export function validateConfiguration(
  { jwt, anonymous }: AuthenticationConfiguration,
  own: readonly string[],
): { readonly issuers: readonly Issuer[]; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  if (jwt.length > MOST) errors.push(invalid(FieldPath.of('jwt'), jwt.length, `must have at most ${MOST} items`));
  const seen = { url: new Set<string>(), discoveryURL: new Set<string>() };
  const issuers = jwt.map((given, i) => {
    const path = FieldPath.of('jwt').index(i);
    issuerErrors(given.issuer, path.child('issuer'), own, errors);
    const compiled = compileIssuer(given, path, errors);
    for (const field of ['url', 'discoveryURL'] as const) {
      const value = given.issuer[field];
      if (value !== '' && seen[field].has(value)) errors.push(duplicate(path.child('issuer', field), value));
      seen[field].add(value);
    }
    return { given, compiled };
  });
  if (anonymous?.enabled === false && anonymous.conditions.length > 0) {
    const why = 'enabled should be set to true when conditions are defined';
    errors.push(invalid(FieldPath.of('anonymous', 'conditions'), anonymous.conditions, why));
  }
  return { issuers, errors };
}

const MOST = 64;

function issuerErrors(
  issuer: JwtAuthenticator['issuer'],
  path: FieldPath,
  own: readonly string[],
  errors: FieldError[],
): void {
  const { url, discoveryURL, certificateAuthority } = issuer;
  if (url === '') errors.push(required(path.child('url'), ''));
  else urlErrors(url, path.child('url'), own, errors);
  if (discoveryURL !== '') {
    const same = trimmed(url) === trimmed(discoveryURL);
    if (same) errors.push(invalid(path.child('discoveryURL'), discoveryURL, 'discoveryURL must be different from URL'));
    urlErrors(discoveryURL, path.child('discoveryURL'), [], errors);
  }
  audienceErrors(issuer, path, errors);
  if (certificateAuthority !== '' && !isCertificate(certificateAuthority))
    errors.push(
      invalid(
        path.child('certificateAuthority'),
        '<omitted>',
        'data does not contain any valid RSA or ECDSA certificates',
      ),
    );
  if (issuer.egressSelectorType !== '')
    errors.push(
      invalid(path.child('egressSelectorType'), issuer.egressSelectorType, 'this server has no egress selector'),
    );
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');

function urlErrors(text: string, path: FieldPath, own: readonly string[], errors: FieldError[]): void {
  const refuse = (why: string): void => void errors.push(invalid(path, text, why));
  if (own.includes(text)) refuse(`URL must not overlap with disallowed issuers: [${own.toSorted().join(' ')}]`);
  if (!URL.canParse(text)) return refuse('must be a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') refuse('URL scheme must be https');
  if (url.username !== '' || url.password !== '') refuse('URL must not contain a username or password');
  if (url.search !== '') refuse('URL must not contain a query');
  if (url.hash !== '') refuse('URL must not contain a fragment');
}

function audienceErrors(
  { audiences, audienceMatchPolicy: policy }: JwtAuthenticator['issuer'],
  path: FieldPath,
  errors: FieldError[],
): void {
  const at = path.child('audiences');
  if (audiences.length === 0) errors.push(required(at, `at least one ${at.toString()} is required`));
  for (const [i, audience] of audiences.entries()) {
    if (audience === '') errors.push(required(at.index(i), ''));
    if (audiences.indexOf(audience) < i) errors.push(duplicate(at.index(i), audience));
  }
  const wants = (why: string): void => void errors.push(invalid(path.child('audienceMatchPolicy'), policy, why));
  if (audiences.length > 1 && policy !== 'MatchAny')
    wants('audienceMatchPolicy must be MatchAny for multiple audiences');
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny')
    wants('audienceMatchPolicy must be empty or MatchAny for single audience');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
