import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '#lib/api/types/flowcontrol.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { inclusiveRange } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { MANDATORY_LEVELS } from './mandatory.ts';
import { conditionErrors, statusOnly } from './status.ts';

const SPEC = FieldPath.of('spec');
const LIMITED = SPEC.child('limited');
const PRESERVE = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function setDefaults({ spec: { exempt, limited } }: PriorityLevelConfiguration): void {
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

function validate(level: PriorityLevelConfiguration): FieldError[] {
  const { spec } = level;
  const name = level.metadata.name ?? '';
  const annotated = ownField(level.metadata.annotations, PRESERVE) !== undefined;
  const annotations = FieldPath.of('metadata', 'annotations');
  return [
    ...(annotated ? [forbidden(annotations, `annotation '${PRESERVE}' is forbidden`)] : []),
    ...typeErrors(spec, name),
    ...mandatoryErrors(spec, name),
    ...conditionErrors(level),
  ];
}

function typeErrors(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const type = spec.type;
  const exempt = (name === 'exempt') === (type === 'Exempt');
  const path = SPEC.child('type');
  const errors = exempt ? [] : [invalid(path, type, "must be 'Exempt' if and only if `name` is 'exempt'")];
  if (type === 'Exempt') return [...errors, ...exemptErrors(spec)];
  if (type === 'Limited') return [...errors, ...limitedErrors(spec)];
  return [...errors, notSupported(path, type, ['Exempt', 'Limited'])];
}

function exemptErrors(spec: PriorityLevelConfigurationSpec): FieldError[] {
  const exempt = spec.exempt;
  const path = SPEC.child('exempt');
  return [
    ...(spec.limited !== undefined ? [forbidden(LIMITED, 'must be nil if the type is not Limited')] : []),
    ...shares(exempt, path),
    ...percent(exempt, path),
  ];
}

type Level = LimitedPriorityLevelConfiguration | ExemptPriorityLevelConfiguration;

function shares(object: Level | undefined, path: FieldPath): FieldError[] {
  const value = object?.nominalConcurrencyShares ?? 0;
  return value < 0 ? [invalid(path.child('nominalConcurrencyShares'), value, 'must be a non-negative integer')] : [];
}

function percent(object: Level | undefined, path: FieldPath): FieldError[] {
  const value = object?.lendablePercent ?? 0;
  return value < 0 || value > 100 ? [invalid(path.child('lendablePercent'), value, inclusiveRange(0, 100))] : [];
}

function limitedErrors(spec: PriorityLevelConfigurationSpec): FieldError[] {
  const limited = spec.limited;
  const errors =
    spec.exempt !== undefined ? [forbidden(SPEC.child('exempt'), 'must be nil if the type is Limited')] : [];
  if (limited === undefined) return [...errors, required(LIMITED, 'must not be empty when type is Limited')];
  const borrowing = limited.borrowingLimitPercent ?? 0;
  const negative = 'if specified, must be a non-negative integer';
  return [
    ...errors,
    ...shares(limited, LIMITED),
    ...responseErrors(limited.limitResponse, LIMITED.child('limitResponse')),
    ...percent(limited, LIMITED),
    ...(borrowing < 0 ? [invalid(LIMITED.child('borrowingLimitPercent'), borrowing, negative)] : []),
  ];
}

function responseErrors(response: LimitResponse, path: FieldPath): FieldError[] {
  const type = response.type;
  const queuing = response.queuing;
  const where = path.child('queuing');
  if (type !== 'Reject' && type !== 'Queue') return [notSupported(path.child('type'), type, ['Queue', 'Reject'])];
  if (type === 'Queue') {
    if (queuing !== undefined) return queuingErrors(queuing, where);
    return [required(where, 'must not be empty if limited.limitResponse.type is Limited')];
  }
  if (queuing === undefined) return [];
  return [forbidden(where, 'must be nil if limited.limitResponse.type is not Limited')];
}

const MAX_QUEUES = 10_000_000;
/** The number of hash bits from which shuffle sharding deals hands. */
const HASH_BITS = 60;

function queuingErrors(queuing: QueuingConfiguration, path: FieldPath): FieldError[] {
  const [length, queues] = [queuing.queueLengthLimit, queuing.queues];
  const most = `must not be greater than ${MAX_QUEUES}`;
  return [
    ...(length <= 0 ? [invalid(path.child('queueLengthLimit'), length, 'must be positive')] : []),
    ...(queues <= 0 ? [invalid(path.child('queues'), queues, 'must be positive')] : []),
    ...(queues > MAX_QUEUES ? [invalid(path.child('queues'), queues, most)] : []),
    ...handErrors(queuing.handSize, queues, path.child('handSize')),
  ];
}

function handErrors(hand: number, queues: number, path: FieldPath): FieldError[] {
  if (hand <= 0) return [invalid(path, hand, 'must be positive')];
  if (hand > queues) return [invalid(path, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= HASH_BITS) return [];
  const need = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(path, hand, `${need} should not be greater than ${HASH_BITS}`)];
}

/** Mandatory priority levels keep their spec, except for the shares of `exempt`. */
function mandatoryErrors(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const mandatory = Object.hasOwn(MANDATORY_LEVELS, name) ? MANDATORY_LEVELS[name] : undefined;
  if (mandatory === undefined) return [];
  const { exempt: _shares, ...rest } = spec;
  const exempt = name === 'exempt';
  if (semanticEqual(exempt ? rest : spec, mandatory)) return [];
  const but = exempt ? " except the 'spec.exempt' field" : '';
  return [invalid(SPEC, spec, `spec of '${name}'${but} must equal the fixed value`)];
}

/** Upstream's pkg/registry/flowcontrol/prioritylevelconfiguration. */
export const priorityLevelConfigurationStrategy: KindStrategy<PriorityLevelConfiguration> = {
  default: setDefaults,
  prepareForCreate(level) {
    level.status = {};
  },
  prepareForUpdate: (level, old) => keepField(level, old, 'status'),
  validate,
  validateUpdate: validate,
  subresources: { status: statusOnly },
};
