import { isDNS1123Label, nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { declare, type FunctionDeclaration, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, objectType, stringType, type Type } from '../types/type.ts';
import { error, Opaque, type Result, type Value } from '../values/value.ts';

/** The attributes of an authorization check: upstream's authorizer.Attributes without the user. */
export interface AuthorizationAttributes {
  readonly verb: string;
  /** A service account to check instead of the request's user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  /** The path of a non-resource check. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** The decision of an authorizer. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Must decide synchronously, because expressions cannot wait. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationDecision;

/** The type of the `authorizer` variable. */
export const authorizerType: Type = objectType('kubernetes.authorization.Authorizer');
/** The type of `authorizer.path(…)`. */
export const pathCheckType: Type = objectType('kubernetes.authorization.PathCheck');
/** The type of `authorizer.group(…)`. */
export const groupCheckType: Type = objectType('kubernetes.authorization.GroupCheck');
/** The type of `authorizer.group(…).resource(…)`. */
export const resourceCheckType: Type = objectType('kubernetes.authorization.ResourceCheck');
/** The type of `check(…)`. */
export const decisionType: Type = objectType('kubernetes.authorization.Decision');

/** The authorizer and the values derived from it, with the attributes collected so far. */
export class AuthorizationValue extends Opaque {
  readonly type: Type;
  readonly authorize: Authorize;
  readonly attributes: Omit<AuthorizationAttributes, 'verb'>;

  constructor(type: Type, authorize: Authorize, attributes: Omit<AuthorizationAttributes, 'verb'> = {}) {
    super();
    this.type = type;
    this.authorize = authorize;
    this.attributes = attributes;
  }

  with(type: Type, attributes: Omit<AuthorizationAttributes, 'verb'>): AuthorizationValue {
    return new AuthorizationValue(type, this.authorize, { ...this.attributes, ...attributes });
  }

  equalTo(other: Value): boolean {
    return this === other;
  }
}

/** The result of a check: a decision or an error. */
export class DecisionValue extends Opaque {
  readonly type = decisionType;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }

  equalTo(other: Value): boolean {
    return this === other;
  }
}

/** The variable `authorizer`. */
export function authorizerValue(authorize: Authorize): AuthorizationValue {
  return new AuthorizationValue(authorizerType, authorize);
}

/** The variable `authorizer.requestResource`. */
export function requestResourceValue(
  authorize: Authorize,
  attributes: Pick<AuthorizationAttributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): AuthorizationValue {
  return new AuthorizationValue(resourceCheckType, authorize, attributes);
}

function path(target: AuthorizationValue, text: string): Result {
  return text.trim() === '' ? error('path must not be empty') : target.with(pathCheckType, { path: text });
}

function resource(target: AuthorizationValue, text: string): Result {
  return text.trim() === '' ? error('resource must not be empty') : target.with(resourceCheckType, { resource: text });
}

function serviceAccount(target: AuthorizationValue, namespace: string, name: string): Result {
  if (nameIsDNSSubdomain(name, false).length > 0) return error('Invalid service account name');
  if (isDNS1123Label(namespace).length > 0) return error('Invalid service account namespace');
  return target.with(authorizerType, { serviceAccount: { namespace, name } });
}

function check(target: AuthorizationValue, verb: string): Result {
  return new DecisionValue(target.authorize({ ...target.attributes, verb }));
}

type Narrowing = 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector';

function narrows(name: Narrowing, id: string): FunctionDeclaration {
  const call = (target: AuthorizationValue, text: string): Result => target.with(resourceCheckType, { [name]: text });
  return declare(name, member(id, [resourceCheckType, stringType], resourceCheckType, call));
}

/** Kubernetes' authorization checks, with selectors. */
export const authz: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', member('authorizer_path', [authorizerType, stringType], pathCheckType, path)),
    declare(
      'group',
      member(
        'authorizer_group',
        [authorizerType, stringType],
        groupCheckType,
        (target: AuthorizationValue, group: string) => target.with(groupCheckType, { group }),
      ),
    ),
    declare(
      'serviceAccount',
      member('authorizer_serviceaccount', [authorizerType, stringType, stringType], authorizerType, serviceAccount),
    ),
    declare('resource', member('groupcheck_resource', [groupCheckType, stringType], resourceCheckType, resource)),
    narrows('subresource', 'resourcecheck_subresource'),
    narrows('namespace', 'resourcecheck_namespace'),
    narrows('name', 'resourcecheck_name'),
    narrows('fieldSelector', 'authorizer_fieldselector'),
    narrows('labelSelector', 'authorizer_labelselector'),
    declare(
      'check',
      member('pathcheck_check', [pathCheckType, stringType], decisionType, check),
      member('resourcecheck_check', [resourceCheckType, stringType], decisionType, check),
    ),
    declare(
      'errored',
      member(
        'decision_errored',
        [decisionType],
        boolType,
        ({ decision }: DecisionValue) => decision.error !== undefined,
      ),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], stringType, ({ decision }: DecisionValue) => decision.error ?? ''),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], boolType, ({ decision }: DecisionValue) => decision.allowed),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], stringType, ({ decision }: DecisionValue) => decision.reason),
    ),
  ],
};
