import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import {
  badContainers,
  containersOf,
  distinct,
  plural,
  quoted,
  securityOf,
  setters,
  type Check,
  type CheckPod,
} from '../check.ts';

const TYPES: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const optionsOf = (holder: JsonObject): JsonObject | undefined => objectAt(securityOf(holder), 'seLinuxOptions');

const judge =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const badType = (one: JsonObject): boolean => !allowed.includes(text(optionsOf(one), 'type'));
    const names = (field: string) => (one: JsonObject) => text(optionsOf(one), field) !== '';
    const isBad = (one: JsonObject): boolean => badType(one) || names('user')(one) || names('role')(one);
    const who = setters(isBad(spec), badContainers(spec, isBad));
    if (who === '') return undefined;
    const all = [spec, ...containersOf(spec)];
    const types = distinct(all.filter(badType).map((one) => text(optionsOf(one), 'type')));
    const found = [
      ...(types.length > 0 ? [`${plural('type', types)} ${quoted(types)}`] : []),
      ...['user', 'role'].filter((field) => all.some(names(field))).map((field) => `${field} may not be set`),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${found.join('; ')}`,
    };
  };

/** SELinux confines by the types made for containers; users and roles stay. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  versions: [
    { since: 0, check: judge(TYPES) },
    { since: 31, check: judge([...TYPES, 'container_engine_t']) },
  ],
};
