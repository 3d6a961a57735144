import tseslint from "typescript-eslint";

const MARKUP = "markup is made with createElement and textContent only";
const CODE = "no text is run as code";

export default tseslint.config(
  { ignores: ["node_modules", "**/*.mjs", "**/*.js"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-restricted-properties": ["error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc", "createContextualFragment", "setHTMLUnsafe", "parseFromString"]
          .map((property) => ({ property, message: MARKUP })),
        { object: "document", property: "write", message: MARKUP },
        { object: "document", property: "writeln", message: MARKUP },
        ...["window", "globalThis", "self"].map((object) => ({ object, property: "eval", message: CODE })),
      ],
      "no-restricted-syntax": ["error",
        { selector: "MemberExpression[computed=true] > Literal[value=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]", message: MARKUP },
        { selector: "NewExpression[callee.name='Function'], CallExpression[callee.name='Function']", message: CODE },
      ],
    },
  },
  { files: ["test/**/*.ts"], rules: { "@typescript-eslint/no-non-null-assertion": "off", "no-script-url": "off" } },
);
