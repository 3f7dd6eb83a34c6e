import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { AUTHENTICATED } from '#lib/server/authentication/user.ts';

/** One line of a policy file. An empty user or group matches any. In the other fields, `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  /** Allows only reads. */
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const VERSION = 'abac.authorization.kubernetes.io/v1beta1';

/** Parses the lines of a policy file, except blank lines and comments. Throws TypeError with the line number of an invalid line. */
export function parsePolicyFile(text: string): AbacPolicy[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const policy = objectOf(trimmed);
    if (policy === undefined) throw new TypeError(`line ${index + 1}: a policy is a JSON object`);
    if (ownField(policy, 'apiVersion') === undefined && ownField(policy, 'kind') === undefined)
      return [unversioned(policy)];
    if (stringAt(policy, 'apiVersion') !== VERSION || stringAt(policy, 'kind') !== 'Policy')
      throw new TypeError(`line ${index + 1}: the kind of a policy is Policy in ${VERSION}`);
    return [versioned(objectAt(policy, 'spec') ?? {})];
  });
}

function objectOf(line: string): JsonObject | undefined {
  try {
    const { value } = decodeJson(Buffer.from(line));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const text = (object: JsonObject, field: string): string => stringAt(object, field) ?? '';

/** A `*` matches every authenticated user. */
function subject(spec: JsonObject): Pick<AbacPolicy, 'user' | 'group'> {
  const [user, group] = [text(spec, 'user'), text(spec, 'group')];
  return user === '*' || group === '*' ? { user: '', group: AUTHENTICATED } : { user, group };
}

const versioned = (spec: JsonObject): AbacPolicy => ({
  ...subject(spec),
  readonly: ownField(spec, 'readonly') === true,
  apiGroup: text(spec, 'apiGroup'),
  resource: text(spec, 'resource'),
  namespace: text(spec, 'namespace'),
  nonResourcePath: text(spec, 'nonResourcePath'),
});

/** The older format without versions, in which absent fields match everything. */
function unversioned(policy: JsonObject): AbacPolicy {
  const { user, group } = subject(policy);
  const [resource, namespace] = [text(policy, 'resource'), text(policy, 'namespace')];
  return {
    user,
    group: user === '' && group === '' ? AUTHENTICATED : group,
    readonly: ownField(policy, 'readonly') === true,
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  };
}
