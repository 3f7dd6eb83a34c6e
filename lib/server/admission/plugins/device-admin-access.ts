import type { ResourceClaim, ResourceClaimSpec } from '#lib/api/types/resource.v1.ts';
import { NAMESPACES, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS } from '#lib/api/types/resources.ts';
import { invalid } from '#lib/machinery/errors.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const LABEL = 'resource.kubernetes.io/admin-access';
const REQUIRED = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;

/**
 * Allows admin access to devices only in labelled namespaces. Upstream's strategies of claims and templates check this before validation.
 * Strategies of this server cannot read other objects.
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
      if (ownField(namespace?.metadata.labels, LABEL) === 'true') return;
      throw invalid(attributes.kind, attributes.name, [forbidden(path, REQUIRED)]);
    },
  };
}

/** Returns the field that requests admin access. Undefined if there is none. Specs are immutable, allocations are not. */
function asked(attributes: Attributes): FieldPath | undefined {
  const { operation } = attributes;
  if (operation === 'CREATE' && isAbout(attributes, RESOURCE_CLAIMS)) return request(attributes.object?.spec);
  if (operation === 'CREATE' && isAbout(attributes, RESOURCE_CLAIM_TEMPLATES))
    return request(attributes.object?.spec.spec);
  if (operation !== 'CREATE' && isAbout(attributes, RESOURCE_CLAIMS, 'status'))
    return allocation(attributes.object, attributes.oldObject);
  return undefined;
}

function request(spec: ResourceClaimSpec | undefined): FieldPath | undefined {
  const index = (spec?.devices.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  return index < 0 ? undefined : FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess');
}

function allocation(claim: ResourceClaim | undefined, old: ResourceClaim | undefined): FieldPath | undefined {
  const areAdmin = (one: ResourceClaim | undefined): boolean[] =>
    (one?.status.allocation?.devices.results ?? []).map(({ adminAccess }) => adminAccess === true);
  if (areAdmin(old).includes(true)) return undefined;
  const index = areAdmin(claim).indexOf(true);
  if (index < 0) return undefined;
  return FieldPath.of('status', 'allocation', 'devices', 'results').index(index).child('adminAccess');
}
