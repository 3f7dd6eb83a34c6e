import { shownField } from '#lib/api/internal-form.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressLoadBalancerIngress,
  IngressRule,
  IngressTLS,
} from '#lib/api/types/networking.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain, isWildcardDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateLegacyIP } from '../shared/ip.ts';
import { hostnameErrors } from '../shared/load-balancer-status.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import { checked, each, objectName } from '../shared/validate.ts';
import { validateBackend } from './backend.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status', 'loadBalancer', 'ingress');
const CLASS = 'kubernetes.io/ingress.class';

/** Errors that objects stored under older rules may keep. */
interface Options {
  readonly anySecretName: boolean;
  readonly anyWildcardRule: boolean;
}
const STRICT: Options = { anySecretName: false, anyWildcardRule: false };

function validateSpec(ingress: Ingress, options: Options): FieldError[] {
  const spec = ingress.spec;
  const backend = spec.defaultBackend;
  const rules = spec.rules ?? [];
  const className = spec.ingressClassName;
  const nothing = rules.length === 0 && backend === undefined;
  return [
    ...(nothing
      ? [
          invalid(
            SPEC,
            shownField('networking.v1.IngressSpec', spec, 'rules'),
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(backend === undefined ? [] : validateBackend(backend, SPEC.child('defaultBackend'))),
    ...each(rules, SPEC.child('rules'), (rule, path) => validateRule(rule, path, options)),
    ...each(spec.tls ?? [], SPEC.child('tls'), (tls, path) => validateTLS(tls, path, options)),
    ...(className !== undefined ? objectName(className, SPEC.child('ingressClassName')) : []),
  ];
}

const hostErrors = (host: string, path: FieldPath): FieldError[] =>
  checked(host, path, host.includes('*') ? isWildcardDNS1123Subdomain : isDNS1123Subdomain);

function validateRule(rule: IngressRule, path: FieldPath, options: Options): FieldError[] {
  const host = rule.host ?? '';
  const where = path.child('host');
  const address =
    parseIPSloppy(host) === undefined ? [] : [invalid(where, host, 'must be a DNS name, not an IP address')];
  const unchecked = host.includes('*') && options.anyWildcardRule;
  return [
    ...(host === '' ? [] : [...address, ...hostErrors(host, where)]),
    ...(unchecked ? [] : validatePaths(rule, path)),
  ];
}

function validatePaths(rule: IngressRule, path: FieldPath): FieldError[] {
  const http = rule.http;
  if (http === undefined) return [];
  const where = path.child('http', 'paths');
  const paths = http.paths ?? [];
  return paths.length === 0 ? [required(where)] : each(paths, where, validatePath);
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDS = ['/..', '/.'];

function validatePath(item: HTTPIngressPath, path: FieldPath): FieldError[] {
  const { pathType: type } = item;
  if (type === null) return [required(path.child('pathType'), 'pathType must be specified')];
  const errors = PATH_TYPES.includes(type)
    ? pathErrors(item.path ?? '', type, path.child('path'))
    : [notSupported(path.child('pathType'), type, PATH_TYPES)];
  return [...errors, ...validateBackend(item.backend, path.child('backend'))];
}

function pathErrors(value: string, type: string, path: FieldPath): FieldError[] {
  const free = type === 'ImplementationSpecific';
  const relative = !value.startsWith('/') && !(free && value === '');
  const errors = relative ? [invalid(path, value, 'must be an absolute path')] : [];
  if (free) return errors;
  return [
    ...errors,
    ...BAD_SEQUENCES.filter((part) => value.includes(part)).map((part) =>
      invalid(path, value, `must not contain '${part}'`),
    ),
    ...BAD_ENDS.filter((end) => value.endsWith(end)).map((end) => invalid(path, value, `cannot end with '${end}'`)),
  ];
}

function validateTLS(tls: IngressTLS, path: FieldPath, { anySecretName }: Options): FieldError[] {
  const secret = tls.secretName ?? '';
  return [
    ...each(tls.hosts ?? [], path.child('hosts'), hostErrors),
    ...(anySecretName || secret === '' ? [] : objectName(secret, path.child('secretName'))),
  ];
}

function validateCreate(ingress: Ingress): FieldError[] {
  const name = ownField(ingress.metadata.annotations, CLASS);
  const className = ingress.spec.ingressClassName;
  const differs = name !== undefined && className !== undefined && name !== className;
  const path = FieldPath.of('annotations').child(CLASS);
  return [
    ...validateSpec(ingress, STRICT),
    ...(differs ? [invalid(path, name, 'must match `ingressClassName` when both are specified')] : []),
  ];
}

function validateUpdate(ingress: Ingress, old: Ingress): FieldError[] {
  const spec = old.spec;
  const wrongSecret = (tls: IngressTLS): boolean => {
    const name = tls.secretName ?? '';
    return name !== '' && objectName(name, SPEC).length > 0;
  };
  const wrongRule = (rule: IngressRule): boolean =>
    (rule.host ?? '').includes('*') && validatePaths(rule, SPEC).length > 0;
  return validateSpec(ingress, {
    anySecretName: (spec.tls ?? []).some(wrongSecret),
    anyWildcardRule: (spec.rules ?? []).some(wrongRule),
  });
}

const ingressesOf = (ingress: Ingress): IngressLoadBalancerIngress[] => ingress.status.loadBalancer.ingress ?? [];

function validateStatus(ingress: Ingress, old: Ingress): FieldError[] {
  const stored = ingressesOf(old).map((one) => one.ip ?? '');
  return each(ingressesOf(ingress), STATUS, (one, path) => {
    const ip = one.ip ?? '';
    return [
      ...(ip === '' ? [] : validateLegacyIP(ip, path.child('ip'), stored)),
      ...hostnameErrors(one.hostname ?? '', path.child('hostname')),
    ];
  });
}

/** Upstream's pkg/registry/networking/ingress. */
export const ingressStrategy: KindStrategy<Ingress> = {
  prepareForCreate(ingress) {
    ingress.status = { loadBalancer: {} };
  },
  prepareForUpdate: (ingress, old) => keepField(ingress, old, 'status'),
  validate: validateCreate,
  validateUpdate,
  warnings(ingress, old) {
    const annotated = ownField(ingress.metadata.annotations, CLASS) !== undefined;
    if (old !== undefined || !annotated || ingress.spec.ingressClassName !== undefined) return [];
    return [`annotation "${CLASS}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  subresources: { status: statusStrategy(validateStatus) },
};
