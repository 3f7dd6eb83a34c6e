import type { HostAlias, PodSpec } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid, tooLong } from '#lib/machinery/validation/field.ts';
import { validateLegacyIP } from '../../../shared/ip.ts';
import { dns1123Subdomain, each } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { visitContainers } from './visit.ts';

/** With host networking, a container's port must equal its host port. Templates may omit the host port. */
export function validateHostNetworkPorts(spec: PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const message = 'must match `containerPort` when `hostNetwork` is true';
  return each(spec.containers ?? [], path.child('containers'), ({ ports = [] }, at) =>
    each(ports, at.child('ports'), ({ hostPort: host = 0, containerPort }, where) => {
      const checked = options.resourceIsPod || host !== 0;
      return checked && host !== containerPort ? [invalid(where.child('hostPort'), host, message)] : [];
    }),
  );
}

/** A user namespace cannot be combined with the host's other namespaces or with block devices. */
export function validateHostUsers(spec: PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const message = 'when `hostUsers` is false';
  return [
    ...(spec.hostNetwork === true && !options.allowUserNamespacesHostNetwork
      ? [forbidden(path.child('hostNetwork'), message)]
      : []),
    ...(spec.hostPID === true ? [forbidden(path.child('HostPID'), message)] : []),
    ...(spec.hostIPC === true ? [forbidden(path.child('HostIPC'), message)] : []),
    ...(options.allowUserNamespacesWithDevices
      ? []
      : visitContainers(spec, path, ({ volumeDevices = [] }, at) =>
          volumeDevices.length > 0 ? [forbidden(at.child('volumeDevices'), message)] : [],
        )),
  ];
}

const HOSTNAME_MAX = 64;

/** Upstream's validatePodHostName: validates the host name override. */
export function validateHostnameOverride(spec: PodSpec, path: FieldPath): FieldError[] {
  const name = spec.hostnameOverride;
  if (name === undefined) return [];
  const where = path.child('hostnameOverride');
  const errors: FieldError[] = [];
  if (spec.setHostnameAsFQDN === true) {
    errors.push(forbidden(where, 'may not be specified when setHostnameAsFQDN is true'));
  }
  if (spec.hostNetwork === true) {
    errors.push(forbidden(where, 'may not be specified when hostNetwork is true'));
  }
  if (Buffer.byteLength(name) > HOSTNAME_MAX) errors.push(tooLong(where, HOSTNAME_MAX));
  return [...errors, ...dns1123Subdomain(name, where)];
}

/** Upstream's ValidateHostAliases: validates addresses and their host names. */
export function validateHostAliases(aliases: readonly HostAlias[], path: FieldPath): FieldError[] {
  return each(aliases, path, ({ ip, hostnames = [] }, at) => [
    ...validateLegacyIP(ip, at.child('ip')),
    ...each(hostnames, at.child('hostnames'), dns1123Subdomain),
  ]);
}
