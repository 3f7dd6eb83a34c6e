import { type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';

const FORM = '; desired format: https://host[/path]';

/** Upstream's ValidateWebhookURL: requires https and a host. After the host, only a path is allowed. */
export function validateWebhookUrl(url: string, path: FieldPath): FieldError[] {
  const { scheme, user, host, query, fragment } = parts(url);
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`));
  if (host === '') errors.push(invalid(path, '', `host must be specified${FORM}`));
  if (user !== undefined) errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/** Splits a URL like Go's url.Parse, without normalization. */
function parts(url: string): UrlParts {
  const [, scheme = '', authority = '', query = '', fragment = ''] =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : authority.slice(0, at);
  return { scheme: scheme.toLowerCase(), user, host: authority.slice(at + 1), query, fragment };
}

/** Upstream's ValidateWebhookService. */
export function validateWebhookService(service: JsonObject, path: FieldPath): FieldError[] {
  // Upstream swaps name and namespace here. The fields in errors match upstream's.
  const errors = [
    ...((stringAt(service, 'namespace') ?? '') === '' ? [required(path.child('name'))] : []),
    ...((stringAt(service, 'name') ?? '') === '' ? [required(path.child('namespace'))] : []),
  ];
  const port = Number(ownField(service, 'port') ?? 443);
  const messages = isValidPortNum(port);
  if (messages.length > 0) errors.push(invalid(path.child('port'), port, `port is not valid: ${messages.join(', ')}`));
  return [...errors, ...pathErrors(stringAt(service, 'path') ?? '', path.child('path'))];
}

function pathErrors(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const errors = urlPath.startsWith('/') ? [] : [invalid(path, urlPath, "must start with a '/'")];
  const steps = urlPath.slice(1).replace(/\/$/, '').split('/');
  for (const [i, step] of steps.entries()) {
    const messages =
      step === '' ? [`segment[${i}] may not be empty`] : isDNS1123Subdomain(step).map((m) => `segment[${i}]: ${m}`);
    errors.push(...messages.map((message) => invalid(path, urlPath, message)));
  }
  return errors;
}
