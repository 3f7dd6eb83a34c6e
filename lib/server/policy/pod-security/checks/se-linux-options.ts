import {
  badContainers,
  type Check,
  type CheckPod,
  containersOf,
  distinct,
  plural,
  quoted,
  type Secured,
  setters,
} from '../check.ts';

const TYPES: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const optionOf = ({ securityContext }: Secured, option: 'type' | 'user' | 'role'): string =>
  securityContext?.seLinuxOptions?.[option] ?? '';

const judge =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const badType = (one: Secured): boolean => !allowed.includes(optionOf(one, 'type'));
    const names = (option: 'user' | 'role') => (one: Secured) => optionOf(one, option) !== '';
    const isBad = (one: Secured): boolean => badType(one) || names('user')(one) || names('role')(one);
    const who = setters(isBad(spec), badContainers(spec, isBad));
    if (who === '') return undefined;
    const all = [spec, ...containersOf(spec)];
    const types = distinct(all.filter(badType).map((one) => optionOf(one, 'type')));
    const found = [
      ...(types.length > 0 ? [`${plural('type', types)} ${quoted(types)}`] : []),
      ...(['user', 'role'] as const)
        .filter((option) => all.some(names(option)))
        .map((option) => `${option} may not be set`),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${found.join('; ')}`,
    };
  };

/** SELinux types must be those made for containers. Users and roles may not be set. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  versions: [
    { since: 0, check: judge(TYPES) },
    { since: 31, check: judge([...TYPES, 'container_engine_t']) },
  ],
};
