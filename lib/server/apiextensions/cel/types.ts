import type { CostEstimator, Range } from '#lib/api/cel/cost/estimate.ts';
import { isReserved } from '#lib/api/cel/library/escaping.ts';
import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
  timestampType,
} from '#lib/api/cel/types/type.ts';
import type { DeclKind, DeclType } from './decl-type.ts';

const SIMPLE: Readonly<Record<DeclKind, Type>> = {
  dyn: dynType,
  bool: boolType,
  int: intType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  duration: durationType,
  timestamp: timestampType,
};

/** The types of a schema's objects, named by their path below the root. Each is created when an expression needs it. */
export class SchemaTypes implements TypeProvider {
  readonly self: Type;
  readonly #fields = new Map<string, ReadonlyMap<string, DeclType>>();

  constructor(root: DeclType, name = 'selfType') {
    this.self = this.#typeOf(root, name);
  }

  findType(name: string): Type | undefined {
    return this.#fields.has(name) ? objectType(name) : undefined;
  }

  findField(typeName: string, field: string): Type | undefined {
    const fields = this.#fields.get(typeName);
    // A reserved word also names the property without the escape.
    const type = fields?.get(field) ?? (isReserved(field) ? fields?.get(`__${field}__`) : undefined);
    return type === undefined ? undefined : this.#typeOf(type, `${typeName}.${field}`);
  }

  #typeOf(type: DeclType, name: string): Type {
    switch (type.kind) {
      case 'object':
        this.#fields.set(name, type.fields);
        return objectType(name);
      case 'list':
        return listType(this.#typeOf(type.element, `${name}.@idx`));
      case 'map':
        return mapType(stringType, this.#typeOf(type.element, `${name}.@elem`));
      default:
        return SIMPLE[type.kind];
    }
  }
}

/** Estimates from the schema how large a value at a path below `self` or `oldSelf` can be. */
export function schemaSizes(root: DeclType): Required<CostEstimator>['estimateSize'] {
  return ({ path }): Range | undefined => {
    if (path.length === 0) return undefined;
    let type: DeclType | undefined = root;
    for (const name of path.slice(1)) {
      type = below(type, name);
      if (type === undefined) return undefined;
    }
    return { min: 0, max: type.maxElements };
  };
}

/** Like upstream, ignores the length of a map's keys. */
const KEY: DeclType = { kind: 'string', maxElements: 0, minSize: 2 };

function below(type: DeclType, name: string): DeclType | undefined {
  if (type.kind === 'object') return type.fields.get(name);
  if (type.kind !== 'list' && type.kind !== 'map') return undefined;
  if (name === '@items' || name === '@values') return type.element;
  return name === '@keys' && type.kind === 'map' ? KEY : undefined;
}
