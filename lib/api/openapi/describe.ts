import { isObject, type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { PARAMETERS, type TypeTexts, typeTexts } from '../descriptions/texts.ts';
import { mapValues } from './map-values.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'];

const ACTIONS: Readonly<Record<string, string>> = {
  get: 'Reads one KIND by its name.',
  list: 'Lists objects of kind KIND, or watches them.',
  watch: 'Watches one KIND; use a list with the parameter watch and a field selector instead.',
  watchlist: 'Watches objects of kind KIND; use a list with the parameter watch instead.',
  post: 'Creates a KIND.',
  put: 'Replaces a KIND.',
  patch: 'Changes parts of a KIND.',
  delete: 'Deletes a KIND.',
  deletecollection: 'Deletes every KIND that the selectors take.',
  connect: 'Connects to a KIND.',
};

const ANSWERS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
};

/** Adds descriptions of types, fields, operations and parameters to an OpenAPI v3 document. Existing descriptions stay. */
export function described(document: JsonObject): JsonObject {
  const components = objectAt(document, 'components') ?? {};
  const schemas = mapValues(objectAt(components, 'schemas'), describedType);
  return {
    ...document,
    paths: mapValues(objectAt(document, 'paths'), describedPath),
    components: { ...components, schemas },
  };
}

const withText = (object: JsonObject, text: string | undefined): JsonObject =>
  text === undefined || object['description'] !== undefined ? object : { description: text, ...object };

function describedType(schema: Json, name: string): Json {
  const texts = typeTexts(name);
  if (!isObject(schema) || texts === undefined) return schema;
  const properties = objectAt(schema, 'properties');
  const fields = properties === undefined ? {} : { properties: describedFields(properties, texts) };
  return withText({ ...schema, ...fields }, texts['']);
}

/** Adds descriptions to fields. A bare reference cannot have a description. */
const describedFields = (properties: JsonObject, texts: TypeTexts): JsonObject =>
  mapValues(properties, (property, field) =>
    isObject(property) && property['$ref'] === undefined ? withText(property, texts[field]) : property,
  );

function describedPath(item: Json): Json {
  if (!isObject(item)) return item;
  const operations = METHODS.flatMap((method): [string, Json][] => {
    const operation = objectAt(item, method);
    return operation === undefined ? [] : [[method, describedOperation(operation)]];
  });
  return { ...item, ...parametersOf(item), ...Object.fromEntries(operations) };
}

function describedOperation(operation: JsonObject): JsonObject {
  const action = ACTIONS[stringAt(operation, 'x-kubernetes-action') ?? ''];
  const kind = stringAt(objectAt(operation, 'x-kubernetes-group-version-kind') ?? {}, 'kind') ?? '';
  const responses = mapValues(objectAt(operation, 'responses'), (answer, code) =>
    isObject(answer) ? withText(answer, ANSWERS[code] ?? '') : answer,
  );
  return withText(
    { ...operation, ...parametersOf(operation), responses },
    action?.replace('KIND', () => kind),
  );
}

function parametersOf(holder: JsonObject): JsonObject {
  const parameters = holder['parameters'];
  if (!Array.isArray(parameters)) return {};
  return {
    parameters: parameters.map((it) => (isObject(it) ? withText(it, PARAMETERS[stringAt(it, 'name') ?? '']) : it)),
  };
}
