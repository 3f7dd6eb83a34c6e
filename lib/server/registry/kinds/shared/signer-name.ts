import { quote } from '#lib/machinery/go.ts';
import { type FieldError, type FieldPath, invalid, required, tooLong } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';

const SUBDOMAIN_MAX = 253;
const LABEL_MAX = 63;

/** Whether the signer name is reserved for Kubernetes. */
export function isKubernetesSignerName(name: string): boolean {
  return `.${name.split('/')[0]}`.endsWith('.kubernetes.io');
}

/** Validates a domain and a path, for example `example.com/signer`. */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const [domain, rest, ...more] = name.split('/');
  if (domain === undefined || rest === undefined || more.length > 0) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const labels = domain.split('.');
  const longest = 2 * SUBDOMAIN_MAX + LABEL_MAX + 2;
  return [
    ...(domain.length > SUBDOMAIN_MAX ? [tooLong(path, SUBDOMAIN_MAX)] : []),
    ...firstWrong(labels, isDNS1123Label, domain, path),
    ...(labels.length < 2
      ? [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstWrong(rest.split('.'), isDNS1123Subdomain, rest, path),
    ...(name.length > longest ? [tooLong(path, longest)] : []),
  ];
}

function firstWrong(
  labels: readonly string[],
  check: (label: string) => string[],
  shown: string,
  path: FieldPath,
): FieldError[] {
  const wrong = labels.find((label) => check(label).length > 0);
  if (wrong === undefined) return [];
  return check(wrong).map((message) => invalid(path, shown, `validating label ${quote(wrong)}: ${message}`));
}
