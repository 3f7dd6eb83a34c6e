import type { Column, Version } from '../definition.ts';
import { internalSchema } from './internal-schema.ts';

const struct = (fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(fields));

/** Returns `spec.versions` in the form in which messages contain it: Go structs of upstream's internal form. */
export function internalVersions(versions: readonly Version[]): readonly unknown[] {
  return versions.map((version) =>
    struct({
      Name: version.name,
      Served: version.served,
      Storage: version.storage,
      Deprecated: version.deprecated,
      DeprecationWarning: version.deprecationWarning ?? null,
      Schema: showSchema(version),
      Subresources: showSubresources(version),
      AdditionalPrinterColumns: orNull(version.additionalPrinterColumns.map(showColumn)),
      SelectableFields: orNull(version.selectableFields.map((JSONPath) => ({ JSONPath }))),
    }),
  );
}

const orNull = (items: readonly unknown[]): unknown => (items.length === 0 ? null : items);

function showSchema({ schema }: Version): unknown {
  if (schema === undefined) return null;
  const { openAPIV3Schema } = schema;
  return { OpenAPIV3Schema: openAPIV3Schema === undefined ? null : internalSchema(openAPIV3Schema) };
}

function showSubresources({ subresources }: Version): unknown {
  if (subresources === undefined) return null;
  const { status, scale } = subresources;
  if (scale === undefined) return struct({ Status: status ? {} : null, Scale: null });
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = null } = scale;
  const shown = {
    SpecReplicasPath: specReplicasPath,
    StatusReplicasPath: statusReplicasPath,
    LabelSelectorPath: labelSelectorPath,
  };
  return struct({ Status: status ? {} : null, Scale: struct(shown) });
}

const showColumn = ({ name, type, format, description, priority, jsonPath }: Column): unknown =>
  struct({ Name: name, Type: type, Format: format, Description: description, Priority: priority, JSONPath: jsonPath });
