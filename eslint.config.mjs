import tseslint from 'typescript-eslint';

export default tseslint.config({ ignores: ['dist/', 'node_modules/', 'coverage/', 'libs/sdk/src/generated/'] }, ...tseslint.configs.recommended);
