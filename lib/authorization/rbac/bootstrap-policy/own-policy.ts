import type { BindingTable, RoleTable } from './table.ts';

/**
 * The group of this program's own controllers. Upstream's share informers that read as the controller manager, which may list
 * and watch everything; ours read for themselves.
 */
export const CONTROLLERS_GROUP = 'system:davit:controllers';

export const OWN_ROLES: RoleTable = { [CONTROLLERS_GROUP]: ['get,list,watch * *'] };
export const OWN_BINDINGS: BindingTable = { [CONTROLLERS_GROUP]: [`Group ${CONTROLLERS_GROUP}`] };
