import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, flag, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, tooLong, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLegacyIP } from '../../../shared/ip.ts';
import { dns1123Subdomain, each } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { visitContainers } from './visit.ts';

/** On the host's network a container's port is the host's. Templates may leave the latter open. */
export function validateHostNetworkPorts(
  spec: JsonObject,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (flag(spec, 'hostNetwork') !== true) return [];
  const message = 'must match `containerPort` when `hostNetwork` is true';
  return each(items(spec, 'containers'), path.child('containers'), (container, at) =>
    each(items(container, 'ports'), at.child('ports'), (port, where) => {
      const host = count(port, 'hostPort');
      const checked = options.resourceIsPod || host !== 0;
      return checked && host !== count(port, 'containerPort') ? [invalid(where.child('hostPort'), host, message)] : [];
    }),
  );
}

/** User namespaces exclude the host's other namespaces, and block devices. */
export function validateHostUsers(spec: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (flag(spec, 'hostUsers') !== false) return [];
  const message = 'when `hostUsers` is false';
  const set = (field: string): boolean => flag(spec, field) === true;
  return [
    ...(set('hostNetwork') && !options.allowUserNamespacesHostNetwork
      ? [forbidden(path.child('hostNetwork'), message)]
      : []),
    ...(set('hostPID') ? [forbidden(path.child('HostPID'), message)] : []),
    ...(set('hostIPC') ? [forbidden(path.child('HostIPC'), message)] : []),
    ...(options.allowUserNamespacesWithDevices
      ? []
      : visitContainers(spec, path, (container, at) =>
          arrayAt(container, 'volumeDevices').length > 0 ? [forbidden(at.child('volumeDevices'), message)] : [],
        )),
  ];
}

const HOSTNAME_MAX = 64;

export function validateHostnameOverride(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, 'hostnameOverride')) return [];
  const name = text(spec, 'hostnameOverride');
  const where = path.child('hostnameOverride');
  const errors: FieldError[] = [];
  if (flag(spec, 'setHostnameAsFQDN') === true) {
    errors.push(forbidden(where, 'may not be specified when setHostnameAsFQDN is true'));
  }
  if (flag(spec, 'hostNetwork') === true) {
    errors.push(forbidden(where, 'may not be specified when hostNetwork is true'));
  }
  if (Buffer.byteLength(name) > HOSTNAME_MAX) errors.push(tooLong(where, HOSTNAME_MAX));
  return [...errors, ...dns1123Subdomain(name, where)];
}

export function validateHostAliases(aliases: readonly JsonObject[], path: FieldPath): FieldError[] {
  return each(aliases, path, (alias, at) => [
    ...validateLegacyIP(text(alias, 'ip'), at.child('ip')),
    ...each(texts(alias, 'hostnames'), at.child('hostnames'), dns1123Subdomain),
  ]);
}
