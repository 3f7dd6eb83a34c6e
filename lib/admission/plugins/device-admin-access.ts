import { invalid } from '#lib/machinery/errors.ts';
import { objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };
const LABEL = 'resource.kubernetes.io/admin-access';
const REQUIRED = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;

/**
 * Access to devices that others use is for claims of namespaces that say so. Upstream's strategies of claims and templates check
 * it before they validate; a strategy here sees no other object.
 */
export function deviceAdminAccess(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DeviceAdminAccess',
    operations: ['CREATE', 'UPDATE'],
    about: ['resource.k8s.io/resourceclaims', 'resource.k8s.io/resourceclaimtemplates'],
    async validate(attributes) {
      const path = asked(attributes);
      if (path === undefined) return;
      const namespace = await lookup.findFresh(NAMESPACES, attributes.namespace);
      if (stringAt(at(namespace, 'metadata', 'labels'), LABEL) === 'true') return;
      throw invalid(attributes.kind, attributes.name, [forbidden(path, REQUIRED)]);
    },
  };
}

const isAdmin = (object: JsonObject | undefined): boolean => ownField(object, 'adminAccess') === true;

/** Where the object asks for it, if it does; specs never change, allocations do. */
function asked({ operation, resource, subresource, object, oldObject }: Attributes): FieldPath | undefined {
  if (resource.group !== 'resource.k8s.io' || !/^resourceclaim(template)?s$/.test(resource.resource)) return undefined;
  if (operation === 'CREATE') return request(object, resource.resource === 'resourceclaims');
  return subresource === 'status' ? allocation(object, oldObject) : undefined;
}

function request(object: JsonObject | undefined, isClaim: boolean): FieldPath | undefined {
  const spec = isClaim ? objectAt(object, 'spec') : at(object, 'spec', 'spec');
  const index = items(at(spec, 'devices'), 'requests').findIndex((one) => isAdmin(objectAt(one, 'exactly')));
  return index < 0 ? undefined : FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess');
}

function allocation(object: JsonObject | undefined, old: JsonObject | undefined): FieldPath | undefined {
  const results = (claim: JsonObject | undefined): JsonObject[] =>
    items(at(claim, 'status', 'allocation', 'devices'), 'results');
  if (results(old).some(isAdmin)) return undefined;
  const index = results(object).findIndex(isAdmin);
  if (index < 0) return undefined;
  return FieldPath.of('status', 'allocation', 'devices', 'results').index(index).child('adminAccess');
}
