import type { LoadBalancerIngress, LoadBalancerStatus } from '#lib/api/types/core.v1.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { validateLegacyIP } from './ip.ts';
import { checked, each } from './validate.ts';

/** Upstream's ValidateLoadBalancerStatus for a service. */
export function validateLoadBalancerStatus(
  status: LoadBalancerStatus,
  old: LoadBalancerStatus,
  type: string,
  path: FieldPath,
): FieldError[] {
  const where = path.child('ingress');
  if (type !== 'LoadBalancer' && (status.ingress ?? []).length > 0) {
    return [forbidden(where, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const stored = (old.ingress ?? []).map(({ ip = '' }) => ip);
  return each(status.ingress ?? [], where, (ingress, at) => ingressErrors(ingress, stored, at));
}

function ingressErrors(ingress: LoadBalancerIngress, stored: readonly string[], path: FieldPath): FieldError[] {
  const { ip = '' } = ingress;
  return [
    ...(ip === '' ? [] : validateLegacyIP(ip, path.child('ip'), stored)),
    ...modeErrors(ingress, ip, path.child('ipMode')),
    ...hostnameErrors(ingress.hostname ?? '', path.child('hostname')),
  ];
}

function modeErrors({ ipMode: mode }: LoadBalancerIngress, ip: string, path: FieldPath): FieldError[] {
  if (mode === undefined) return ip === '' ? [] : [required(path, 'must be specified when `ip` is set')];
  if (ip === '') return [forbidden(path, 'may not be specified when `ip` is not set')];
  return mode === 'Proxy' || mode === 'VIP' ? [] : [notSupported(path, mode, ['Proxy', 'VIP'])];
}

/** Validates the host name of a load balancer: a DNS name and not an IP address. */
export function hostnameErrors(hostname: string, path: FieldPath): FieldError[] {
  if (hostname === '') return [];
  const address =
    parseIPSloppy(hostname) === undefined ? [] : [invalid(path, hostname, 'must be a DNS name, not an IP address')];
  return [...checked(hostname, path, isDNS1123Subdomain), ...address];
}
