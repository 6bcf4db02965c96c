<?php
// A plugin that does to the site what the tests ask for with each request (tests/support/wordpress_site.py).
$test_options = explode(' ', $_SERVER['HTTP_X_TEST_OPTIONS'] ?? '');

if (in_array('plain_permalinks', $test_options)) {
    add_filter('pre_option_permalink_structure', '__return_empty_string');
}
if (in_array('no_application_passwords', $test_options)) {
    add_filter('wp_is_application_passwords_available', '__return_false');
}
if (in_array('no_search', $test_options)) {
    add_action('pre_get_posts', function ($query) {
        if ($query->get('s')) {
            $query->set('post__in', [0]);
        }
    });
}
if (in_array('rest_off', $test_options)) {
    remove_action('wp_head', 'rest_output_link_wp_head', 10);
    remove_action('template_redirect', 'rest_output_link_header', 11);
    add_filter('rest_authentication_errors', function () {
        return new WP_Error('rest_disabled', 'The REST API is disabled on this site.', ['status' => 403]);
    });
}
if (in_array('login_page', $test_options)) {
    remove_action('template_redirect', 'rest_output_link_header', 11);
    add_action('template_redirect', function () {
        wp_safe_redirect(wp_login_url(home_url($_SERVER['REQUEST_URI'])));
        exit;
    });
    add_filter('rest_authentication_errors', function ($result) {
        if ($result !== null && $result !== true || is_user_logged_in()) {
            return $result;
        }
        return new WP_Error('rest_login_required', 'REST API restricted to authenticated users.', ['status' => 401]);
    }, 100);
}
